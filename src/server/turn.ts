import { setImmediate } from 'node:timers/promises';

/** Lets requests be answered in the middle of something that takes long. */
export async function anotherTurn(): Promise<void> {
  await setImmediate();
}

/** Gives each caller a turn of the event loop of its own, one after the other, however many wait at once. */
export function oneByOne(): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(anotherTurn));
}
