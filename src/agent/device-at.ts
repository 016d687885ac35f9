import { setTimeout as wait } from 'node:timers/promises';
import { Client } from './board/client.ts';
import type { Device, Place } from './device.ts';
import { Keystore } from './kept/keystore.ts';
import { stateFolder } from './settings.ts';

/**
 * The device that a command runs on: real keys, real clock, real network.
 *
 * @param signal Ends waiting, and lets nothing more be asked; what is on its way still arrives.
 */
export function deviceAt(place: Place, signal?: AbortSignal): Device {
  const ask = (url: string, init: RequestInit) => {
    signal?.throwIfAborted();
    return fetch(url, init);
  };
  return {
    ...place,
    keystore: new Keystore(stateFolder(place.environment)),
    client: new Client(ask, place.nowMs),
    wait: async (ms) => void (await wait(ms, undefined, signal ? { signal } : {})),
  };
}
