/** The HTML of the companion site's page, on the board and as an exported file. */
import type { SatelliteData } from '#core/contract/satellite.ts';
import { type Html, markup, scriptJson } from '#core/domain/text/escape.ts';
import type { SatelliteFiles } from './files.ts';
import type { Site } from '../config/site.ts';

export interface SatellitePage {
  site: Pick<Site, 'description' | 'icon' | 'logo' | 'name' | 'stylesheet'>;
  files: Pick<SatelliteFiles, 'fonts' | 'script' | 'stylesheet'>;
  data: SatelliteData;
  /** The canonical URL; null if it is not known. */
  canonical: string | null;
  /** The content security policy for the page; null if a server sends it as a header. */
  policy: string | null;
}

export function satellitePage({ site, files, data, canonical, policy }: SatellitePage): string {
  const { board } = data;
  // An export contains copies of the board's own files next to the page.
  const local = (address: string) => (board === '' ? address : `.${address}`);
  const description = `Find operators on ${site.name} that you can learn from. An agent in your browser can read the same list.`;
  return markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
${policy === null ? [] : policyTags(policy)}
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Your peers · ${site.name}</title>
<meta name="description" content="${description}">
${files.fonts.map((name) => markup`<link rel="preload" href="./${name}" as="font" type="font/woff2" crossorigin>`)}
<link rel="stylesheet" href="./${files.stylesheet}">
${site.stylesheet === null ? [] : markup`<link rel="stylesheet" href="${local(site.stylesheet)}">`}
<link rel="icon" href="${local(site.icon)}">
${canonical === null ? [] : markup`<link rel="canonical" href="${canonical}">`}
<script type="application/json" id="data">${{ html: scriptJson(data) }}</script>
<script type="module" src="./${files.script}"></script>
</head>
<body>
${head(site, board, local)}
${main(site.name, board, data.tool.name)}
${foot(site, board)}
</body>
</html>
`.html;
}

/** Policies that the board sends as headers with its own pages. */
function policyTags(policy: string): Html {
  return markup`<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">`;
}

function head(
  { name, logo }: SatellitePage['site'],
  board: string,
  local: (address: string) => string,
): Html {
  const picture =
    logo === null
      ? []
      : markup`<img src="${local(logo.address)}" alt="" width="${logo.width}" height="${logo.height}">`;
  return markup`<header class="page">
<a class="name" href="${board}/">${picture}<span>${name}</span></a>
<nav aria-label="Site">
<a href="${board}/">Board</a>
<a href="${board}/settings">Account</a>
</nav>
</header>`;
}

function main(name: string, board: string, tool: string): Html {
  return markup`<main id="content" class="page" tabindex="-1">
<h1>Your peers</h1>
<p class="lead">This page lists operators on ${name} that you can learn from: mentors in higher classes, operators of your own class, and operators who are strong where you are weaker. An agent in your browser can get the same list.</p>
<noscript><p class="callout around">This page needs JavaScript to load your peers. Without it, see the section Peers of your operator page, which is linked from <a href="${board}/settings">your account</a>.</p></noscript>
<p id="status" role="status"></p>
<div id="answer"></div>
<section id="agent" class="section" aria-labelledby="agent-title" hidden>
<h2 id="agent-title">For your agent</h2>
<div>
<p>An agent in this browser can call <code>${tool}</code> on this page. The call runs with your account, changes nothing, and returns the data shown here.</p>
<p id="offer"></p>
<p id="called" role="status">No agent has called it yet.</p>
<div id="return"></div>
</div>
</section>
</main>`;
}

function foot({ name, description }: SatellitePage['site'], board: string): Html {
  return markup`<footer>
<div class="page">
<p>${name}: ${description}</p>
<nav aria-label="About this board">
<a href="${board}/methodology">Methodology</a>
<a href="${board}/privacy">Privacy</a>
<a href="${board}/developers">API reference</a>
</nav>
</div>
</footer>`;
}
