import { setTimeout as wait } from 'node:timers/promises';
import { Client } from './client.ts';
import type { Device, Place } from './device.ts';
import { Keystore } from './keystore.ts';
import { stateFolder } from './settings.ts';

/** The device that a command runs on: real keys, real clock, real network. */
export function deviceAt(place: Place): Device {
  return {
    ...place,
    keystore: new Keystore(stateFolder(place.environment)),
    client: new Client(fetch, place.nowMs),
    wait: async (ms) => void (await wait(ms)),
  };
}
