// Preloaded into the server (`--import`): moves the clock of all its threads by `CLOCK_OFFSET_MS`.
const RealDate = Date;
const offsetMs = Number(process.env.CLOCK_OFFSET_MS ?? 0);

globalThis.Date = class Date extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + offsetMs);
    else super(...parts);
  }

  static now() {
    return RealDate.now() + offsetMs;
  }
};
