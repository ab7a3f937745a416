/** Close codes of our own that no server sends. Alone in a module, for the widget's small loader. */

/** A socket that leads through a kernel has lost it: no other one to the same kernel will open. */
export const KERNEL_LOST = 4410;
