import { setTimeout as wait } from 'node:timers/promises';
import { Client } from './board/client.ts';
import { proxyFor } from './proxy.ts';
import type { LocalDevice, Place } from './device.ts';
import { Keystore } from './state/keystore.ts';
import { type Starter, withSavedProxy } from './state/saved-proxy.ts';
import { withTimerVariables } from './state/timer-variables.ts';
import { stateFolder } from './settings.ts';

interface DeviceOptions {
  /** Ends waiting and prevents new requests. Requests under way are completed. */
  signal?: AbortSignal;
  /** What started the command, if it was not a shell with its variables. */
  starter?: Starter | null;
}

/** The device that a command runs on, with its real keys, clock and network. */
export function deviceAt(
  { environment: own, ...place }: Place,
  { signal, starter = null }: DeviceOptions = {},
): LocalDevice {
  const timed = starter === 'timer' ? withTimerVariables(own, place.file) : own;
  const environment = starter === null ? own : withSavedProxy(timed, starter);
  const ask = async (url: string, init: RequestInit) => {
    signal?.throwIfAborted();
    const proxy = await proxyFor(url, environment);
    if (proxy === null) return fetch(url, init);
    const { fetchThrough } = await import('./board/tunnel.ts');
    return fetchThrough(proxy, url, init);
  };
  const keystore = new Keystore(stateFolder(environment));
  return {
    ...place,
    environment,
    keystore,
    client: new Client(ask, place.nowMs, (board) => keystore.identity(board)),
    wait: async (ms) => void (await wait(ms, undefined, signal ? { signal } : {})),
  };
}
