import { closeSync, openSync, readSync, writeSync } from 'node:fs';

const CHUNK_BYTES = 1024 * 1024;

/** Copies a file into a new one that only its owner may read, at no moment anybody else, whatever the mode of the first. */
export function copyPrivately(path: string, copy: string): void {
  const source = openSync(path, 'r');
  try {
    const target = openSync(copy, 'wx', 0o600);
    try {
      copyBytes(source, target);
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

function copyBytes(source: number, target: number): void {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let length = readSync(source, chunk); length > 0; length = readSync(source, chunk)) {
    for (let at = 0; at < length;) at += writeSync(target, chunk, at, length - at);
  }
}
