import { glob } from 'astro/loaders';
import { z } from 'astro/zod';
import { defineCollection } from 'astro:content';

/** The documentation: `src/content/docs/SECTION/PAGE.md`, served at `/docs/SECTION/PAGE`. */
const docs = defineCollection({
  loader: glob({ pattern: '*/*.md', base: './src/content/docs' }),
  schema: z.strictObject({
    title: z.string(),
    /** One sentence that says what the page is for. */
    summary: z.string(),
    /** The place among the pages of the section; `index.md` always comes first. */
    order: z.number(),
  }),
});

export const collections = { docs };
