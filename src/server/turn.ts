import { setImmediate } from 'node:timers/promises';

/** Lets requests be answered in the middle of something that takes long. */
export async function anotherTurn(): Promise<void> {
  await setImmediate();
}
