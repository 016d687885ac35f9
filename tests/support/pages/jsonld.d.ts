/** As much of the package as tests use; it has no types of its own. */
declare module 'jsonld' {
  interface Options {
    documentLoader(url: string): Promise<object>;
    /** Throws where a word has no meaning, instead of leaving it out. */
    safe: boolean;
  }
  export function expand(document: object, options: Options): Promise<Record<string, unknown>[]>;
}
