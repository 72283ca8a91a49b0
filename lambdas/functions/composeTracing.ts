import { XRayClient } from '../adapters/aws/traces/XRayClient.ts';
import { XRaySpans } from '../adapters/aws/traces/XRaySpans.ts';
import { AsyncTracing } from '../adapters/tracing/AsyncTracing.ts';
import type { SpanSink, Tracing } from '../ports/Tracing.ts';
import type { Cloud } from './openCloud.ts';
import { type EnvironmentOf, NO_TRACES } from './readEnvironment.ts';

/** Opens the traces of a function, whose spans go to X-Ray; `undefined` if the stack has none. */
export function composeTracing(
  { traceSampleRate }: Pick<EnvironmentOf<'sync'>, 'traceSampleRate'>,
  cloud: Cloud,
): Tracing | undefined {
  if (traceSampleRate === NO_TRACES) return undefined;
  return new AsyncTracing(Number(traceSampleRate), cloud.seams?.spans ?? openXRay(cloud));
}

function openXRay({ dynamoDb, clock, log, xrayEndpoint: endpoint }: Cloud): SpanSink {
  const { region, credentials } = dynamoDb.config;
  const client = new XRayClient({ region, credentials, endpoint, clock });
  return new XRaySpans({ client, clock, report: log });
}
