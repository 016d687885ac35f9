/**
 * The order of the documentation, which the sidebar, the previous and next links, `/docs` and the search follow.
 *
 * Markdown files are found by themselves. To put a page of the site into the documentation, add it to `SITE_PAGES`
 * and let its file use the layout `Docs.astro`.
 *
 * @module
 */
import type { ExplanationSet } from '../method/explanation.ts';
import { METHODOLOGY, PRIVACY, SCIENCE, TRANSPARENCY } from '../method/explanations.ts';

/** The sections in their order; each is a folder in `src/content/docs`. */
export const DOCS_SECTIONS = [
  {
    id: 'join',
    title: 'Join a board',
    summary: 'Install opbench, enroll a device and submit your daily token counts.',
  },
  {
    id: 'run',
    title: 'Run a board',
    summary: 'Install, configure, back up and upgrade a board of your own.',
  },
  {
    id: 'build',
    title: 'Build on it',
    summary: 'Read the board from programs and agents, and verify what it publishes.',
  },
  {
    id: 'how',
    title: 'How it works',
    summary: 'How token counts become metrics and ranks, and how far you can trust them.',
  },
] as const;

/** The address that stands for the board's own in Markdown files. */
export const EXAMPLE_BOARD = 'https://bench.example.org';

export type DocsSectionId = (typeof DOCS_SECTIONS)[number]['id'];

export interface DocsPage {
  section: DocsSectionId;
  /** From the root. */
  path: string;
  title: string;
  /** One sentence that says what the page is for. */
  summary: string;
  /** The place in the section, among site pages and Markdown files alike. */
  order: number;
}

/** An overview and its parts, with orders that start at `first`. */
function explanationsFrom({ overview, parts }: ExplanationSet, first: number): DocsPage[] {
  return [overview, ...parts].map(({ path, title, lead }, at) => {
    return { section: 'how', path, title, summary: lead, order: first + at };
  });
}

/** Pages of the site that belong to the documentation. Markdown files have orders below 100. */
export const SITE_PAGES: readonly DocsPage[] = [
  {
    section: 'build',
    path: '/developers',
    title: 'API reference',
    summary: 'How to start, and every operation of the API by group.',
    order: 100,
  },
  {
    section: 'build',
    path: '/developers/board',
    title: 'Board',
    summary: 'The published board: rankings, records and challenges.',
    order: 110,
  },
  {
    section: 'build',
    path: '/developers/operators',
    title: 'Operators',
    summary: 'One operator: ranks, history, records, keys and peers.',
    order: 111,
  },
  {
    section: 'build',
    path: '/developers/log',
    title: 'Submissions and public log',
    summary: 'Submissions and the public log, from which anyone can recompute the board.',
    order: 112,
  },
  {
    section: 'build',
    path: '/developers/devices',
    title: 'Devices',
    summary: 'Devices that sign for an operator.',
    order: 113,
  },
  {
    section: 'build',
    path: '/developers/account',
    title: 'Account',
    summary: "The caller's ranks, profile, data and sessions.",
    order: 114,
  },
  {
    section: 'build',
    path: '/developers/applications',
    title: 'Connected apps',
    summary: 'How to get an access token, and the metadata for apps that act for an operator.',
    order: 115,
  },
  {
    section: 'build',
    path: '/developers/service',
    title: 'Service',
    summary: 'The API description and the MCP server manifests.',
    order: 116,
  },
  {
    section: 'build',
    path: '/developers/types',
    title: 'Types',
    summary: 'The objects in requests and responses that several groups of operations use.',
    order: 120,
  },
  {
    section: 'build',
    path: '/developers/limits',
    title: 'Limits and errors',
    summary:
      'Rate limits, account limits and sizes on this board, and the errors of every operation.',
    order: 130,
  },
  {
    section: 'build',
    path: '/developers/mcp',
    title: 'MCP server',
    summary: 'How to connect an AI assistant to this board, and the tools that it gets.',
    order: 140,
  },
  {
    section: 'build',
    path: '/developers/protocol',
    title: 'Device protocol',
    summary: 'How devices sign and submit token counts, with test vectors.',
    order: 190,
  },
  ...explanationsFrom(METHODOLOGY, 100),
  ...explanationsFrom(SCIENCE, 200),
  ...explanationsFrom({ overview: TRANSPARENCY, parts: [] }, 250),
  ...explanationsFrom(PRIVACY, 300),
];

export interface DocsSection {
  id: DocsSectionId;
  title: string;
  summary: string;
  /** From the root; the section's quick start. */
  path: string;
  pages: readonly DocsPage[];
}

export function sectionPath(id: DocsSectionId): string {
  return `/docs/${id}`;
}

/** All pages by section, the quick start of each first. */
export function inSections(pages: readonly DocsPage[]): DocsSection[] {
  return DOCS_SECTIONS.map((section) => {
    const path = sectionPath(section.id);
    const place = (page: DocsPage) => (page.path === path ? -Infinity : page.order);
    const own = pages.filter((page) => page.section === section.id);
    return { ...section, path, pages: own.toSorted((a, b) => place(a) - place(b)) };
  });
}

/** Whether a page is a part of another page of the site, such as `/methodology/ranking` of `/methodology`. */
export function isPart(page: DocsPage): boolean {
  return wholeOf(page) !== undefined;
}

function wholeOf({ path }: DocsPage): DocsPage | undefined {
  return SITE_PAGES.find((page) => path.startsWith(`${page.path}/`));
}

/** The title of a page with that of its section, if it is a quick start, or of the page that it is a part of. */
export function fullTitle(page: DocsPage, sections: readonly DocsSection[]): string {
  const { title, path } = page;
  const above = sections.find((each) => each.path === path) ?? wholeOf(page);
  return above === undefined ? title : `${above.title}: ${title}`;
}
