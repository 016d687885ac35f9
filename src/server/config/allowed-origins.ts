/** What the admin may set of agents: pages of other sites that may call, and the companion site; read by `config.ts` only. */
import * as z from 'zod';
import { SATELLITE_PATH } from '#core/domain/text/file-paths.ts';
import { mayReceiveCodes } from '#core/domain/account/oauth.ts';
import { Origin } from './sign-in-config.ts';

/** Where a companion site stands: its folder, whose address ends with a slash. */
const SatelliteUrl = z
  .string()
  .refine(
    (text) => mayReceiveCodes(text) && !/[?#]/.test(text),
    'must be an address with https:// (or http:// on this machine) without query, such as https://peers.example.org/',
  )
  .transform((text) => (text.endsWith('/') ? text : `${text}/`));

export const AGENT_SETTINGS = {
  MCP_ALLOWED_ORIGINS: z.string().default('').transform(originsIn),
  SATELLITE_URL: SatelliteUrl.optional(),
  SATELLITE_CLIENT_ID: z.string().min(1).optional(),
};

type Settings = z.output<z.ZodObject<typeof AGENT_SETTINGS>>;

/** What the board's own provider calls the companion site. */
const CLIENT_ID = 'satellite';
/** What the board's own provider takes for it; an address would name metadata to be fetched. */
const OWN_CLIENT_ID = /^(?!web$)[A-Za-z0-9._~-]{1,100}$/;

export interface SatelliteConfig {
  /** The address of its page, with a slash at its end. */
  url: string;
  origin: string;
  clientId: string;
}

export interface AgentConfig {
  mcpOrigins: readonly string[];
  satellite: SatelliteConfig | null;
}

/** What does not fit the board that the companion site is of. */
export function unfitSatellite(
  { SATELLITE_URL: url, SATELLITE_CLIENT_ID: clientId }: Settings,
  { baseUrl, isElsewhere }: { baseUrl: string; isElsewhere: boolean },
): string[] {
  if (url === undefined) return [];
  const faults: string[] = [];
  if (new URL(url).origin === baseUrl) {
    faults.push(
      `SATELLITE_URL: is on the board's own origin, where the site is at ${baseUrl}${SATELLITE_PATH} already: unset it`,
    );
  }
  if (isElsewhere && clientId === undefined) {
    faults.push(
      'SATELLITE_CLIENT_ID: must be set too, because SATELLITE_URL and AUTH_URL are: what that provider calls the companion site, a public client with this redirect URI',
    );
  }
  if (!isElsewhere && clientId !== undefined && !OWN_CLIENT_ID.test(clientId)) {
    faults.push(
      'SATELLITE_CLIENT_ID: must be 1 to 100 of A-Z, a-z, 0-9, ".", "_", "~" and "-", and not "web", which is the board itself',
    );
  }
  return faults;
}

export function agentConfig(settings: Settings): AgentConfig {
  const { MCP_ALLOWED_ORIGINS, SATELLITE_URL: url, SATELLITE_CLIENT_ID: clientId } = settings;
  return {
    mcpOrigins: MCP_ALLOWED_ORIGINS,
    satellite:
      url === undefined
        ? null
        : { url, origin: new URL(url).origin, clientId: clientId ?? CLIENT_ID },
  };
}

export function trustedOrigins({ mcpOrigins, satellite }: AgentConfig) {
  return { mcp: mcpOrigins, satellite: satellite ? [satellite.origin] : [] };
}

/** Reads `https://a.example, https://b.example`. */
function originsIn(list: string, check: z.RefinementCtx): string[] {
  const origins = list.split(',').map((part) => part.trim());
  return origins.filter(Boolean).flatMap((text) => {
    const { success, data } = Origin.safeParse(text);
    if (success) return [data];
    check.addIssue(
      `"${text}" is no origin: write each in full, without path, such as https://app.example.org`,
    );
    return [];
  });
}
