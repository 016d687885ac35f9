/** Settings for other sites: pages that may call the MCP server, and the companion site. Read by `config.ts` only. */
import * as z from 'zod';
import { SATELLITE_PATH } from '#core/domain/text/file-paths.ts';
import { mayReceiveCodes } from '#core/domain/account/oauth.ts';
import { Origin } from './sign-in-config.ts';

/** The folder of a companion site, as a URL that ends with a slash. */
const SatelliteUrl = z
  .string()
  .refine(
    (text) => mayReceiveCodes(text) && !/[?#]/.test(text),
    'must be an https:// address without a query, such as https://peers.example.org/ (http:// works only on this machine)',
  )
  .transform((text) => (text.endsWith('/') ? text : `${text}/`));

export const AGENT_SETTINGS = {
  MCP_ALLOWED_ORIGINS: z.string().default('').transform(originsIn),
  SATELLITE_URL: SatelliteUrl.optional(),
  SATELLITE_CLIENT_ID: z.string().min(1).optional(),
};

type Settings = z.output<z.ZodObject<typeof AGENT_SETTINGS>>;

/** The client ID of the companion site at the board's own provider. */
const CLIENT_ID = 'satellite';
/** Client IDs that the board's own provider accepts. It would fetch metadata for a URL, so URLs are not accepted. */
const OWN_CLIENT_ID = /^(?!web$)[A-Za-z0-9._~-]{1,100}$/;

export interface SatelliteConfig {
  /** The URL of its page, with a slash at the end. */
  url: string;
  origin: string;
  clientId: string;
}

export interface AgentConfig {
  mcpOrigins: readonly string[];
  satellite: SatelliteConfig | null;
}

/** Settings of the companion site that contradict those of the board. */
export function unfitSatellite(
  { SATELLITE_URL: url, SATELLITE_CLIENT_ID: clientId }: Settings,
  { baseUrl, isElsewhere }: { baseUrl: string; isElsewhere: boolean },
): string[] {
  if (url === undefined) return [];
  const faults: string[] = [];
  if (new URL(url).origin === baseUrl) {
    faults.push(
      `SATELLITE_URL: must be on another host. The board itself serves the site at ${baseUrl}${SATELLITE_PATH}, so you can remove the setting`,
    );
  }
  if (isElsewhere && clientId === undefined) {
    faults.push(
      'SATELLITE_CLIENT_ID: must be set because SATELLITE_URL and AUTH_URL are set. Use the ID of a public client at that provider, with SATELLITE_URL as its redirect URI',
    );
  }
  if (!isElsewhere && clientId !== undefined && !OWN_CLIENT_ID.test(clientId)) {
    faults.push(
      'SATELLITE_CLIENT_ID: must have 1 to 100 characters of A-Z, a-z, 0-9, ".", "_", "~" and "-", and must not be "web", which is the board itself',
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

/** Parses `https://a.example, https://b.example`. */
function originsIn(list: string, check: z.RefinementCtx): string[] {
  const origins = list.split(',').map((part) => part.trim());
  return origins.filter(Boolean).flatMap((text) => {
    const { success, data } = Origin.safeParse(text);
    if (success) return [data];
    check.addIssue(
      `"${text}" must be an address without a path, such as https://app.example.org. Separate several with commas`,
    );
    return [];
  });
}
