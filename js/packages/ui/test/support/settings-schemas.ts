/** Schemas of settings as the server gives them, one for each kind of value. */

export const SCHEMAS = {
  litellm: {
    type: 'object',
    properties: {
      model: { title: 'Model', description: 'By name.', type: 'string', default: '' },
      smaller_model: {
        title: 'Smaller model',
        description: 'For summaries.',
        type: 'string',
        default: '',
        'x-alias': 'smallerModel',
      },
      api_base: { title: 'Address', description: 'Another one.', type: ['string', 'null'], default: null },
      env: {
        title: 'Environment variables',
        description: 'Keys.',
        type: 'object',
        additionalProperties: { type: 'string' },
        default: {},
        'x-secret': true,
      },
    },
  },
  app: {
    type: 'object',
    properties: {
      edits: {
        title: 'Edits',
        type: 'object',
        properties: {
          review: { title: 'Review first', description: 'They wait.', type: 'boolean', default: false },
          retries: {
            title: 'Retries',
            description: 'Of failed edits.',
            type: 'integer',
            minimum: 0,
            maximum: 2,
            default: 1,
          },
        },
      },
      urls: {
        title: 'Web pages',
        type: 'object',
        properties: {
          fetch: {
            title: 'Fetch',
            description: 'When.',
            type: 'string',
            enum: ['ask', 'auto'],
            default: 'ask',
          },
        },
      },
      executors: {
        title: 'Executors',
        description: 'Of tasks.',
        type: 'array',
        default: [],
        maxItems: 20,
        items: {
          type: 'object',
          required: ['name', 'kind'],
          properties: {
            name: { title: 'Name', type: 'string' },
            kind: { title: 'Kind', type: 'string', enum: ['acp', 'dask'] },
            command: { title: 'Command', type: 'array', items: { type: 'string' }, default: [] },
          },
        },
      },
    },
  },
};
