/** Lets other threads and processes write for a while. Only for the projecting thread: it stops its own. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
