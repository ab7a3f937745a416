/** Brings the children of an element into an order with as few moves as possible. */

type WithMoveBefore = Node & { moveBefore?(node: Node, before: Node | null): void };

/**
 * @param previous - children before, in their order; those that aren't in `next` must not be among the element's any more
 * @param next - children that the element shall have, in their order
 */
export function arrange(parent: Node, previous: readonly Node[], next: readonly Node[]): void {
  let end = next.length;
  let previousEnd = previous.length;
  while (end > 0 && previousEnd > 0 && next[end - 1] === previous[previousEnd - 1]) {
    end -= 1;
    previousEnd -= 1;
  }
  let start = 0;
  while (start < end && start < previousEnd && next[start] === previous[start]) start += 1;
  if (start === end) return;
  const places = new Map<Node, number>();
  for (let index = start; index < previousEnd; index += 1) places.set(previous[index] as Node, index);
  const middle = next.slice(start, end);
  const staying = longestIncreasing(middle.map((node) => places.get(node) ?? -1));
  let before = next[end] ?? null;
  for (let index = middle.length - 1; index >= 0; index -= 1) {
    const node = middle[index] as Node;
    if (!staying.has(index)) place(parent, node, before);
    before = node;
  }
}

/** Keeps focus and scroll positions where the browser can. */
function place(parent: WithMoveBefore, node: Node, before: Node | null): void {
  const isMove = node.isConnected && parent.isConnected && node.getRootNode() === parent.getRootNode();
  if (isMove && parent.moveBefore) parent.moveBefore(node, before);
  else parent.insertBefore(node, before);
}

/** Indices of a longest increasing subsequence; negative numbers are in none. */
export function longestIncreasing(numbers: readonly number[]): ReadonlySet<number> {
  /** Index of the smallest last number of a subsequence, by its length - 1. */
  const tails: number[] = [];
  const links: number[] = [];
  numbers.forEach((number, index) => {
    if (number < 0) return;
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[tails[middle] as number] as number) < number) low = middle + 1;
      else high = middle;
    }
    links[index] = low > 0 ? (tails[low - 1] as number) : -1;
    tails[low] = index;
  });
  const found = new Set<number>();
  for (let at = tails.at(-1) ?? -1; at >= 0; at = links[at] as number) found.add(at);
  return found;
}
