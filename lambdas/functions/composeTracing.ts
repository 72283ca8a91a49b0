import { XRaySpans } from '../adapters/aws/traces/XRaySpans.ts';
import { AsyncTracing } from '../adapters/tracing/AsyncTracing.ts';
import type { Tracing } from '../ports/Tracing.ts';
import type { Cloud } from './openCloud.ts';
import { type EnvironmentOf, NO_TRACES } from './readEnvironment.ts';

/** Opens the traces of a function, whose spans go to X-Ray; `undefined` if the stack has none. */
export function composeTracing(
  { traceSampleRate }: Pick<EnvironmentOf<'sync'>, 'traceSampleRate'>,
  { dynamoDb, clock, log, xrayEndpoint, seams }: Cloud,
): Tracing | undefined {
  if (traceSampleRate === NO_TRACES) return undefined;
  const { region, credentials } = dynamoDb.config;
  const sink = seams?.spans ?? new XRaySpans({ region, credentials, endpoint: xrayEndpoint, clock, report: log });
  return new AsyncTracing(Number(traceSampleRate), sink);
}
