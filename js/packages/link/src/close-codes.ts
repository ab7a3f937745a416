/** WebSocket close codes used on the client only. A separate module, to keep the widget's loader small. */

/** A socket through a kernel has lost the kernel: reconnecting to the same kernel is impossible. */
export const KERNEL_LOST = 4410;
