/** How much the events of a much traded series rank above others. */
const SERIES_VOLUME = 0.09;

type Before = (a: number, b: number) => number;

/** Which series each event belongs to, and the first event of each series that a search finds. */
export class SeriesGroups {
  private readonly numbers = new Map<string, number>();
  private readonly volumes: bigint[] = [];
  private popularities = new Float64Array(0);
  /** By the event's number. */
  private seriesOf = new Int32Array(0);
  /** Of the latest search, by the series' number: its first event plus one, and their count. */
  private first = new Int32Array(0);
  private counts = new Int32Array(0);

  volumeContractMicros(seriesTicker: string): bigint {
    return this.volumes[this.numbers.get(seriesTicker) ?? -1] ?? 0n;
  }

  addVolume(seriesTicker: string, contractMicros: bigint): void {
    const series = this.numberOf(seriesTicker);
    const volume = (this.volumes[series] ?? 0n) + contractMicros;
    this.volumes[series] = volume;
    this.popularities[series] = SERIES_VOLUME * Math.log10(1 + Number(volume) / 1e6);
  }

  setSeries(event: number, seriesTicker: string): void {
    if (event >= this.seriesOf.length) this.seriesOf = grown(this.seriesOf, event);
    this.seriesOf[event] = this.numberOf(seriesTicker);
  }

  popularityOf(event: number): number {
    return this.popularities[this.seriesOf[event] ?? 0] ?? 0;
  }

  /** Notes the first of the found events of each series, and how many there are. */
  note(found: Int32Array, count: number, before: Before): void {
    this.first.fill(0);
    this.counts.fill(0);
    for (let index = 0; index < count; index += 1) {
      const event = found[index] ?? 0;
      const series = this.seriesOf[event] ?? 0;
      const first = this.first[series] ?? 0;
      if (first === 0 || before(event, first - 1) < 0) this.first[series] = event + 1;
      this.counts[series] = (this.counts[series] ?? 0) + 1;
    }
  }

  isFirst(event: number): boolean {
    return this.first[this.seriesOf[event] ?? 0] === event + 1;
  }

  /** How many other events of its series are found. */
  othersOf(event: number): number {
    return (this.counts[this.seriesOf[event] ?? 0] ?? 1) - 1;
  }

  /** Keeps only the first events and returns how many they are. */
  keepFirst(found: Int32Array, count: number): number {
    let kept = 0;
    for (let index = 0; index < count; index += 1) {
      const event = found[index] ?? 0;
      if (!this.isFirst(event)) continue;
      found[kept] = event;
      kept += 1;
    }
    return kept;
  }

  /** Sorts the first events of all series before the others. */
  firstOfEach(before: Before): Before {
    return (a, b) => Number(this.isFirst(b)) - Number(this.isFirst(a)) || before(a, b);
  }

  private numberOf(seriesTicker: string): number {
    const known = this.numbers.get(seriesTicker);
    if (known !== undefined) return known;
    const number = this.numbers.size;
    this.numbers.set(seriesTicker, number);
    if (number >= this.first.length) {
      this.first = grown(this.first, number);
      this.counts = grown(this.counts, number);
      const popularities = new Float64Array(this.first.length);
      popularities.set(this.popularities);
      this.popularities = popularities;
    }
    return number;
  }
}

function grown(array: Int32Array<ArrayBuffer>, number: number): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(Math.ceil(number * 1.5) + 64);
  longer.set(array);
  return longer;
}
