import type { Route } from '#core/contract/route.ts';
import { DAY_MS } from '#core/domain/counting/day.ts';

/**
 * The headers that announce an operation's retirement.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9745 | RFC 9745} and
 *   {@link https://www.rfc-editor.org/rfc/rfc8594 | RFC 8594}
 */
export function deprecationHeaders(route: Route): Readonly<Record<string, string>> {
  if (!route.deprecation) return {};
  const { since, successor } = route.deprecation;
  const explained = `</developers#${route.id}>; rel="deprecation"; type="text/html"`;
  return {
    Deprecation: `@${Date.parse(since) / 1000}`,
    Sunset: new Date(goneAtMs(route)).toUTCString(),
    Link: `${explained}, <${successor}>; rel="successor-version"`,
  };
}

/** When an operation stops answering: at the end of its last day, or never. */
export function goneAtMs({ deprecation }: Route): number {
  return deprecation ? Date.parse(deprecation.sunset) + DAY_MS : Infinity;
}
