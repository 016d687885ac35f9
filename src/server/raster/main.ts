/**
 * Turns the board's own SVG, from stdin, into a PNG on stdout. It is a process of its own because the
 * server's forbids its decoder everything but the formats of photographs, for good.
 *
 * @module
 */
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

/** More pixels than any picture of the board has. */
const MAX_PIXELS = 2_000_000;

// Text is drawn with the board's own typeface, on every machine.
process.env['FONTCONFIG_FILE'] = fileURLToPath(new URL('fonts/fonts.conf', import.meta.url));

sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] });
sharp.concurrency(1);

const svg = await buffer(process.stdin);
const picture = sharp(svg, { limitInputPixels: MAX_PIXELS });
process.stdout.write(await picture.png({ compressionLevel: 9, palette: true }).toBuffer());
