/**
 * Server-Sent Events as the HTML standard defines them (section 9.2.6): yields the data of each event.
 * `EventSource` can't send a header with a token, so `fetch` reads the stream.
 */
export async function* eventData(response: Response, onChunk: () => void = () => {}): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) return;
      onChunk();
      const chunk = decoder.decode(value, { stream: true });
      rest += chunk;
      // A long line comes in many chunks.
      if (!/[\r\n]/.test(chunk)) continue;
      // A \r at the end may be the first half of \r\n.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '') {
          if (data.length) yield data.join('\n');
          data = [];
        } else if (/^data(:|$)/.test(line)) data.push(line.replace(/^data:? ?/, ''));
      }
    }
  } finally {
    // The request ends when nobody reads on.
    await reader?.cancel().catch(() => {});
  }
}
