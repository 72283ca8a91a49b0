import { type LogsAnswer, LogsError, type RejectedEvents } from '../../lambdas/adapters/aws/audit/LogsClient.ts';

/** https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogEvents.html; read on 2026-11-27. */
const LIMITS = { batchBytes: 1_048_576, bytesBesides: 26, batchEvents: 10_000 } as const;

interface PutLogEvents {
  readonly logGroupName: string;
  readonly logStreamName: string;
  readonly logEvents: readonly { readonly timestamp: number; readonly message: string }[];
}

/** CloudWatch Logs, as far as an audit log uses it: one log group, whose streams must be created, and the limits of what is put into them. */
export class LogsModel {
  /** The messages of each stream. */
  readonly streams = new Map<string, string[]>();
  /** How many events each accepted request had. */
  readonly batches: number[] = [];
  /** The errors of the next calls. */
  readonly failures: unknown[] = [];
  calls = 0;
  /** What is said of events that are not taken. */
  rejected: RejectedEvents | undefined;
  readonly #group: string;

  constructor(group: string) {
    this.#group = group;
  }

  get messages(): string[] {
    return [...this.streams.values()].flat();
  }

  call(action: 'CreateLogStream' | 'PutLogEvents', input: object): Promise<LogsAnswer> {
    this.calls += 1;
    const failure = this.failures.shift();
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- what a test says
    if (failure !== undefined) return Promise.reject(failure);
    try {
      const put = input as PutLogEvents;
      if (put.logGroupName !== this.#group) throw new LogsError('ResourceNotFoundException', 400, 'no such group');
      if (action === 'CreateLogStream') this.#create(put.logStreamName);
      else this.#put(put);
      return Promise.resolve(this.rejected ? { rejected: this.rejected } : {});
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #create(stream: string): void {
    if (this.streams.has(stream)) throw new LogsError('ResourceAlreadyExistsException', 400, '');
    this.streams.set(stream, []);
  }

  #put({ logStreamName, logEvents }: PutLogEvents): void {
    const stream = this.streams.get(logStreamName);
    if (!stream) throw new LogsError('ResourceNotFoundException', 400, 'no such stream');
    const bytes = logEvents.reduce((sum, { message }) => sum + Buffer.byteLength(message) + LIMITS.bytesBesides, 0);
    const isOrdered = logEvents.every(({ timestamp }, at) => timestamp >= (logEvents[at - 1]?.timestamp ?? 0));
    if (!isOrdered || bytes > LIMITS.batchBytes || logEvents.length > LIMITS.batchEvents || logEvents.length === 0)
      throw new LogsError('InvalidParameterException', 400, 'the batch is not valid');
    stream.push(...logEvents.map(({ message }) => message));
    this.batches.push(logEvents.length);
  }
}
