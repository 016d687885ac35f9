/** The admin's logo: its size on pages, and the file that the board serves. */
import { extname } from 'node:path';
import type { FolderReader } from './board-folder.ts';
import { DEFAULT_SITE, type Logo, type SiteFile, siteFile } from './site.ts';

interface BoardLogo {
  logo: Logo | null;
  icon: string;
  file: SiteFile | null;
}

const NO_LOGO: BoardLogo = { logo: null, icon: DEFAULT_SITE.icon, file: null };

const MAX_BYTES = 100 * 1024;
/** The height of a logo on pages in pixels, and its highest ratio of width to height. */
const HEIGHT = 28;
const MAX_RATIO = 6;
/** A logo that is at most this far from square is also the icon of the browser tab. */
const MAX_ICON_RATIO = 1.25;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

/** Reads the logo of a name, if there is one. Faults go to the reader. */
export function readLogo(name: string | undefined, reader: FolderReader): BoardLogo {
  if (name === undefined) return NO_LOGO;
  const missing = 'does not exist, but logo in board.toml names it';
  const bytes = reader.bytes(name, { most: MAX_BYTES, missing });
  if (bytes === null) return NO_LOGO;
  const extension = extname(name);
  const size = pictureSize(bytes, extension);
  if (size === null) {
    reader.fault(
      `is not a valid ${extension.slice(1)} picture, or does not contain its size`,
      name,
    );
    return NO_LOGO;
  }
  const ratio = size.width / size.height;
  if (ratio > MAX_RATIO)
    reader.fault(
      `is more than ${MAX_RATIO} times as wide as it is high. Use a narrower picture`,
      name,
    );
  const file = siteFile(`logo${extension}`, MEDIA_TYPES[extension] ?? '', bytes);
  const isIcon = Math.max(ratio, 1 / ratio) <= MAX_ICON_RATIO;
  const width = Math.max(1, Math.round(ratio * HEIGHT));
  return {
    logo: { address: file.address, width, height: HEIGHT },
    icon: isIcon ? file.address : DEFAULT_SITE.icon,
    file,
  };
}

interface PictureSize {
  width: number;
  height: number;
}

/** The size of a picture, from the beginning of its file; null if it cannot be read. */
export function pictureSize(bytes: Buffer, extension: string): PictureSize | null {
  const size = READERS[extension]?.(bytes) ?? null;
  return size !== null && size.width > 0 && size.height > 0 ? size : null;
}

type ReadSize = (bytes: Buffer) => PictureSize | null;

const READERS: Readonly<Record<string, ReadSize>> = {
  '.png': sizeOfPng,
  '.svg': sizeOfSvg,
  '.webp': sizeOfWebp,
};

/** @see {@link https://www.w3.org/TR/png-3/#11IHDR | PNG, IHDR} */
function sizeOfPng(bytes: Buffer): PictureSize | null {
  if (bytes.length < 24 || bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return null;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** @see {@link https://www.rfc-editor.org/rfc/rfc9649 | RFC 9649, WebP} */
function sizeOfWebp(bytes: Buffer): PictureSize | null {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return null;
  if (bytes.toString('latin1', 8, 12) !== 'WEBP') return null;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const both = bytes.readUInt32LE(21);
      return { width: (both & 0x3fff) + 1, height: ((both >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}

/** The size of the view box or, without one, width and height. */
function sizeOfSvg(bytes: Buffer): PictureSize | null {
  const text = bytes.toString('utf8');
  const tag = /^\uFEFF?\s*</.test(text) ? /<svg(?:\s[^<>]*)?>/.exec(text)?.[0] : undefined;
  if (tag === undefined) return null;
  const box = /\sviewBox\s*=\s*["']([^"']*)["']/
    .exec(tag)?.[1]
    ?.trim()
    .split(/[\s,]+/);
  const [width, height] = box?.slice(2) ?? [lengthIn(tag, 'width'), lengthIn(tag, 'height')];
  return { width: Number(width), height: Number(height) };
}

function lengthIn(tag: string, name: string): string | undefined {
  return new RegExp(`\\s${name}\\s*=\\s*["']\\s*([\\d.]+)(?:px)?\\s*["']`).exec(tag)?.[1];
}
