/** The keeper's logo: what is shown of it, and the file that the board serves. */
import { extname } from 'node:path';
import type { FolderReader } from './folder-reader.ts';
import { pictureSize } from './picture-size.ts';
import { DEFAULT_SITE, type Logo, type SiteFile, siteFile } from './site.ts';

export interface BoardLogo {
  logo: Logo | null;
  /** The address of the icon of browser tabs. */
  icon: string;
  file: SiteFile | null;
}

const NO_LOGO: BoardLogo = { logo: null, icon: DEFAULT_SITE.icon, file: null };

const MAX_BYTES = 100 * 1024;
/** A logo is shown so high, in pixels, and at most so many times as wide. */
const HEIGHT = 28;
const MAX_RATIO = 6;
/** What is about as wide as it is high can be the icon of a tab. */
const MAX_ICON_RATIO = 1.25;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

/** Reads the picture of a name, if there is one to read; what is wrong with it is left with the reader. */
export function readLogo(name: string | undefined, reader: FolderReader): BoardLogo {
  if (name === undefined) return NO_LOGO;
  const missing = 'there is no such file, and logo names it';
  const bytes = reader.bytes(name, { most: MAX_BYTES, missing });
  if (bytes === null) return NO_LOGO;
  const extension = extname(name);
  const size = pictureSize(bytes, extension);
  if (size === null) {
    reader.fault(`is no ${extension.slice(1)} picture that tells its size`, name);
    return NO_LOGO;
  }
  const ratio = size.width / size.height;
  if (ratio > MAX_RATIO) reader.fault(`is more than ${MAX_RATIO} times as wide as high`, name);
  const file = siteFile(`logo${extension}`, MEDIA_TYPES[extension] ?? '', bytes);
  const isIcon = Math.max(ratio, 1 / ratio) <= MAX_ICON_RATIO;
  const width = Math.max(1, Math.round(ratio * HEIGHT));
  return {
    logo: { address: file.address, width, height: HEIGHT },
    icon: isIcon ? file.address : DEFAULT_SITE.icon,
    file,
  };
}
