/**
 * What a page may load and do. `data:` pictures are needed for the avatar in the settings, and in an admin's style
 * sheet.
 */
const RESTRICTIONS = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "manifest-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
];
const POLICY = [...RESTRICTIONS, "frame-ancestors 'none'"].join('; ');

/** Browser features that no page uses, and that injected code must not use either. */
const PERMISSIONS = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'screen-wake-lock',
  'serial',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

const YEAR_SECONDS = 365 * 24 * 60 * 60;

type Headers = Readonly<Record<string, string>>;

/** The headers of every page and file. */
export function pageSecurity(baseUrl: string): Headers {
  return {
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Permissions-Policy': PERMISSIONS,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Origin-Agent-Cluster': '?1',
    ...transportSecurity(baseUrl),
  };
}

/** The headers of a page that other sites may show in a frame: origins, or `*` for all. */
export function framedSecurity(baseUrl: string, sites: readonly string[]): Headers {
  const ancestors = ["frame-ancestors 'self'", ...sites].join(' ');
  return {
    ...pageSecurity(baseUrl),
    'Content-Security-Policy': [...RESTRICTIONS, ancestors].join('; '),
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
}

/** The headers of every API response. They prevent a browser from running anything in it. */
export function dataSecurity(baseUrl: string, isShared: boolean): Headers {
  return {
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': isShared ? 'cross-origin' : 'same-origin',
    ...transportSecurity(baseUrl),
  };
}

/** The headers of pictures from any source. Other sites may embed them, but they cannot run anything. */
export function pictureSecurity(baseUrl: string): Headers {
  return {
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ...transportSecurity(baseUrl),
  };
}

function transportSecurity(baseUrl: string): Headers {
  if (!baseUrl.startsWith('https:')) return {};
  return { 'Strict-Transport-Security': `max-age=${YEAR_SECONDS}; includeSubDomains` };
}
