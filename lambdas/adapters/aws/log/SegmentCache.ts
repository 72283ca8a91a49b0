import type { GroupResource } from '../../../objects/ObjectKey.ts';
import type { Change, LogScope } from '../../../ports/ChangeLog.ts';
import { decodeChanges } from './logContents.ts';
import type { LogParts } from './LogParts.ts';
import type { LogPart, LogSegment } from './LogSegment.ts';

/** How much is kept, counted as JSON; the objects decoded from it take about three times as much memory. */
const RETAINED_JSON_BYTES = 24_000_000;
/** What a segment takes besides its contents, and each of its versions. */
const SEGMENT_BYTES = 500;
const VERSION_BYTES = 8;

type Decoded = readonly Change[] | 'gone';

interface Retained {
  readonly segment: LogSegment;
  readonly decoded: Map<LogPart, Promise<Decoded>>;
  bytes: number;
}

/**
 * The newest segments of one log, for all readers of this process. Their contents are read and decoded only when a reader's scope may match, and once for
 * all readers. What is kept is limited by its size; older segments are read from the table again.
 */
export class SegmentCache {
  readonly #resource: GroupResource;
  readonly #parts: Pick<LogParts, 'read'>;
  /** In the order of their numbers, without gaps. */
  readonly #retained = new Map<number, Retained>();
  #bytes = 0;

  constructor(resource: GroupResource, parts: Pick<LogParts, 'read'>) {
    this.#resource = resource;
    this.#parts = parts;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(segment: LogSegment): void {
    if (this.#retained.has(segment.segment)) return;
    const inline = segment.parts.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);
    const bytes = SEGMENT_BYTES + VERSION_BYTES * segment.versions.length + inline;
    this.#retained.set(segment.segment, { segment, decoded: new Map(), bytes });
    this.#grow(bytes);
  }

  get(segment: number): LogSegment | undefined {
    return this.#retained.get(segment)?.segment;
  }

  clear(): void {
    this.#retained.clear();
    this.#bytes = 0;
  }

  /** Returns the segment's changes, in order, at least those in the scope. `gone` if its contents are not there any more. */
  async changesOf(segment: LogSegment, scope: LogScope): Promise<Decoded> {
    if (segment.kind !== 'changes') return [];
    const parts = segment.parts.filter((part) => mayMatch(part, scope));
    const decoded = await Promise.all(parts.map((part) => this.#decode(segment, part)));
    if (decoded.includes('gone')) return 'gone';
    const logged = new Set(segment.versions);
    const changes = decoded
      .flatMap((some) => (some === 'gone' ? [] : some))
      .filter(({ version }) => logged.has(version));
    // A part has its changes by namespace. The segment's position may be the highest version, so that change must come last: a client may resume from it.
    return changes.sort((a, b) => a.version - b.version);
  }

  #decode(segment: LogSegment, part: LogPart): Promise<Decoded> {
    const retained = this.#retained.get(segment.segment);
    const known = retained?.decoded.get(part);
    if (known) return known;
    const decoding = this.#read(part).then((read) => {
      if (read === 'gone') return read;
      if (retained && this.#retained.get(segment.segment) === retained) {
        retained.bytes += read.jsonLength;
        this.#grow(read.jsonLength);
      }
      return read.changes;
    });
    retained?.decoded.set(part, decoding);
    // A failed read is tried again by the next reader.
    decoding.catch(() => retained?.decoded.delete(part));
    return decoding;
  }

  async #read(part: LogPart) {
    const bytes = await this.#parts.read(this.#resource, part);
    return bytes === 'gone' ? bytes : decodeChanges(this.#resource, bytes);
  }

  #grow(bytes: number): void {
    this.#bytes += bytes;
    for (const [number, retained] of this.#retained) {
      if (this.#bytes <= RETAINED_JSON_BYTES) break;
      this.#retained.delete(number);
      this.#bytes -= retained.bytes;
    }
  }
}

function mayMatch({ namespaces }: LogPart, { namespace }: LogScope): boolean {
  return namespaces === undefined || namespace === undefined || namespaces.includes(namespace);
}
