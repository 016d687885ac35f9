/** The zlib functions for code that runs in threads, which can then be ended at any time. */
import * as zlib from 'node:zlib';
import { whole } from './thread-end.ts';

export const createGzip = whole(zlib.createGzip);
export const deflateRawSync = whole(zlib.deflateRawSync);
export const inflateRawSync = whole(zlib.inflateRawSync);
export const zstdCompressSync = whole(zlib.zstdCompressSync);
export const zstdDecompressSync = whole(zlib.zstdDecompressSync);
