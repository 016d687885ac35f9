/**
 * Converts the board's own SVG from stdin to a PNG on stdout. It runs as a separate process because the server's
 * process permanently restricts its image decoder to photo formats.
 *
 * @module
 */
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

/** Above the size of every picture of the board. */
const MAX_PIXELS = 2_000_000;

// Makes text use the board's own typeface on every machine.
process.env['FONTCONFIG_FILE'] = fileURLToPath(new URL('fonts/fonts.conf', import.meta.url));

sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] });
sharp.concurrency(1);

const svg = await buffer(process.stdin);
const picture = sharp(svg, { limitInputPixels: MAX_PIXELS });
process.stdout.write(await picture.png({ compressionLevel: 9, palette: true }).toBuffer());
