import type { Random } from '../simulation/Random.ts';
import type { Percentiles } from './Spread.ts';

/** How long the services take. What is absent is drawn as the model without them does. */
export interface Latencies {
  /** A request to DynamoDB or SQS, there and back. */
  readonly callMs: Percentiles;
  /** From a write until the record can be read from the stream. */
  readonly streamMs: Percentiles;
  /** How often Lambda reads a shard of a stream. */
  readonly streamPollMs: number;
  /** From when a message can be received until one of the trigger's pollers has it, at least and at most. */
  readonly queuePollMs: readonly [number, number];
  /** From then until the function begins. */
  readonly queueInvokeMs: Percentiles;
  readonly coldStartMs: Percentiles;
  /** How long a function computes for an invocation and for each of its records, or `sync` for each sync, on average. */
  readonly computeMs: { readonly invocation: number; readonly record: number };
}

/** What was measured of triggers, from the producer's message to the consumer's first line; see below. */
export const MEASURED_TRIGGERS: Readonly<Record<'stream' | 'queue', Percentiles>> = {
  stream: [
    [0.1, 118],
    [0.5, 213],
    [0.9, 341],
    [0.99, 552],
  ],
  queue: [
    [0.1, 13.7],
    [0.5, 16.2],
    [0.9, 33.8],
    [0.99, 105],
  ],
};

/**
 * The times that others have published of the services, warm and in one region. All sources were read on 2026-11-26.
 *
 * | | source |
 * |---|---|
 * | stream, queue | https://bitesizedserverless.com/bite/serverless-messaging-latency-compared/: 1,024 messages for each service, eu-west-1, September 2022. `MEASURED_TRIGGERS` has its figures |
 * | the stream's poll | https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html: Lambda reads each shard four times a second. What is left of the measured time is the stream's own, `streamMs` |
 * | calls | https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Introduction.html: single-digit milliseconds; the tail is an estimate |
 * | cold starts | https://speedrun.nobackspacecrew.com/blog/2025/07/21/the-fastest-node-22-lambda-coldstart-configuration.html: 250 ms to load a bundle with three of AWS' clients and 125 ms for the first request; our bundles are larger, and the tail is an estimate |
 * | computing | the processor's time of this project's functions, as `npm run bench -- --model` prints it, on the share of a processor that 1,024 MB have |
 */
export const PUBLISHED_LATENCIES: Latencies = {
  callMs: [
    [0, 2],
    [0.5, 4.5],
    [0.9, 7.5],
    [0.99, 12],
    [1, 40],
  ],
  streamMs: [
    [0, 30],
    [0.1, 54],
    [0.5, 84],
    [0.9, 130],
    [0.97, 200],
    [0.99, 350],
    [1, 450],
  ],
  streamPollMs: 250,
  queuePollMs: [1, 4],
  queueInvokeMs: [
    [0, 9],
    [0.1, 11],
    [0.5, 13.7],
    [0.9, 31],
    [0.99, 102],
    [1, 150],
  ],
  coldStartMs: [
    [0, 300],
    [0.5, 400],
    [0.9, 550],
    [1, 900],
  ],
  computeMs: { invocation: 3, record: 3 },
};

/** Draws how long a function computes for an event, but for its records. Nothing for what is no event. */
export function invocationMs({ computeMs }: Latencies, event: unknown): number {
  return typeof event === 'object' && event !== null ? computeMs.invocation : 0;
}

/** Draws how long a function computes for so many records, or syncs: half to one and a half times as long as on average. */
export function drawRecordsMs({ computeMs }: Latencies, count: number, random: Random): number {
  return Math.round(computeMs.record * count * (0.5 + random.fraction()));
}

/** Returns how many records an event has. */
export function recordCount(event: unknown): number {
  return (event as { readonly Records?: readonly unknown[] }).Records?.length ?? 0;
}
