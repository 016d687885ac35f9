/** The part of the package that tests use. It has no types of its own. */
declare module 'jsonld' {
  interface Options {
    documentLoader(url: string): Promise<object>;
    /** Throws if a term has no meaning, instead of omitting it. */
    safe: boolean;
  }
  export function expand(document: object, options: Options): Promise<Record<string, unknown>[]>;
}
