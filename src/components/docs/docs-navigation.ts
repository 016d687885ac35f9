/**
 * The order of the documentation, which the sidebar, the previous and next links, `/docs` and the search follow.
 *
 * Markdown files are found by themselves. To put a page of the site into the documentation, add it to `SITE_PAGES`
 * and let its file use the layout `Docs.astro`.
 *
 * @module
 */

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

/** Pages of the site that belong to the documentation. Markdown files have orders below 100. */
export const SITE_PAGES: readonly DocsPage[] = [
  {
    section: 'build',
    path: '/developers',
    title: 'API reference',
    summary: 'Every operation of the API, with examples, limits and errors.',
    order: 100,
  },
  {
    section: 'build',
    path: '/developers/protocol',
    title: 'Device protocol',
    summary: 'How devices sign and submit token counts, with test vectors.',
    order: 190,
  },
  {
    section: 'how',
    path: '/methodology',
    title: 'Methodology',
    summary: 'Every formula, rule and number between a daily count and a rank.',
    order: 100,
  },
  {
    section: 'how',
    path: '/science',
    title: 'Science',
    summary: 'What the metrics can and cannot say.',
    order: 200,
  },
  {
    section: 'how',
    path: '/privacy',
    title: 'Privacy',
    summary: 'What leaves your device, and what the board stores.',
    order: 300,
  },
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
export function isPart({ path }: DocsPage): boolean {
  return SITE_PAGES.some((page) => path.startsWith(`${page.path}/`));
}

/** The title of a page where its section is not in sight: every section has a quick start. */
export function fullTitle({ title, path }: DocsPage, sections: readonly DocsSection[]): string {
  const section = sections.find((each) => each.path === path);
  return section === undefined ? title : `${section.title}: ${title}`;
}
