/** Helpers for tests of the log index. */
import { readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { type ScanResult, scanLogs } from '#agent/logs/scan.ts';
import type { Environment } from '#agent/settings.ts';

/** All files below a folder. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())
    .sort();
}

/** Makes a file, or all files below a folder, one hour old. */
export function age(place: string): void {
  const then = Date.now() / 1000 - 3600;
  const files = statSync(place).isFile() ? [place] : filesIn(place);
  for (const path of files) utimesSync(path, then, then);
}

/** The log index of a home folder. */
export function indexOf({ HOME }: Environment): string {
  return join(HOME ?? '', '.cache', 'opbench', 'logs');
}

/** The result of a scan, without notes. */
export async function sumsOf(env: Environment): Promise<Omit<ScanResult, 'notes'>> {
  const { buckets, sources } = await scanLogs(env);
  return { buckets, sources };
}

/** The same without an index. */
export async function truthOf(env: Environment): Promise<Omit<ScanResult, 'notes'>> {
  const { buckets, sources } = await scanLogs(env, { index: null });
  return { buckets, sources };
}
