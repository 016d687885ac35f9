import { expect, test } from 'vitest';
import { browserLabel } from '#server/identity/sessions.ts';

const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [`${MAC} Version/18.5 Safari/605.1.15`, 'Safari on macOS'],
  [`${WINDOWS} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`${WINDOWS} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'Edge on Windows'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox on Android'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) CriOS/140.0', 'Chrome on iOS'],
  ['Mozilla/5.0 (something new)', 'A browser'],
  ['curl/8.5.0', 'A program'],
  ['<script>', 'A program'],
  [null, 'A program'],
])('browserLabel(%j) is "%s"', (userAgent, label) => {
  expect(browserLabel(userAgent)).toBe(label);
});
