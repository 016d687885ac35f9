type Source = [provider: string, model: string];

/** Providers and models, each once, in the order in which they come. */
export class Sources {
  readonly #list: Source[];
  readonly #places = new Map<string, Map<string, number>>();

  /** @param list Those that are known; new ones are added to it. */
  constructor(list: Source[]) {
    this.#list = list;
    list.forEach(([provider, model], place) => this.#modelsOf(provider).set(model, place));
  }

  /** Where a source is in the list. */
  placeOf({ provider, model }: { provider: string; model: string }): number {
    const models = this.#modelsOf(provider);
    let place = models.get(model);
    if (place === undefined) {
      place = this.#list.push([provider, model]) - 1;
      models.set(model, place);
    }
    return place;
  }

  /** One key made of both would be made for every response. */
  #modelsOf(provider: string): Map<string, number> {
    let models = this.#places.get(provider);
    if (models === undefined) {
      models = new Map();
      this.#places.set(provider, models);
    }
    return models;
  }
}
