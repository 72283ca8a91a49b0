import { type Forwarder, openForwarder } from '../services/openForwarder.ts';
import type { DynamoDbLocal } from '../services/DynamoDbLocal.ts';
import type { Meter } from './Meter.ts';

/** Where functions reach DynamoDB: through what tells the meter of every exchange, or, if it does not ask, directly. */
export async function openDynamoDbFront({ port }: DynamoDbLocal, meter: Meter): Promise<Forwarder> {
  if (!meter.dynamoDb) return { endpoint: `http://127.0.0.1:${port}`, close: async () => {} };
  return await openForwarder({
    targetPort: port,
    rewrite: askingForCapacity,
    onExchange: (...exchange) => meter.dynamoDb?.(...exchange),
  });
}

/** The same request, but the answer will say what it costs. */
function askingForCapacity(body: string): string {
  return body.includes('"ReturnConsumedCapacity"')
    ? body
    : body.replace(/^\{("?)/, (_, quote: string) => `{"ReturnConsumedCapacity":"INDEXES"${quote === '"' ? ',"' : ''}`);
}
