/** Texts that are cut or wrapped, and lists without marks, in views of their own. */

import { css } from 'lit';

export const textStyles = css`
  .cut {
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .wrap {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .plain {
    margin: 0;
    padding: 0;
    list-style: none;
  }
`;
