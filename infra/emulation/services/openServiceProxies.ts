import type { Meter } from '../bill/Meter.ts';
import type { MayDo } from '../iam/isAllowed.ts';
import { dynamoDbActions, type RequestedAction, sqsActions } from '../iam/requestedActions.ts';
import { type ServiceProxy, openServiceProxy } from './openServiceProxy.ts';

export interface ServicePorts {
  readonly dynamoDbPort: number;
  readonly sqsPort: number;
  /** What the emulator has in its queues' URLs where functions are given `http://127.0.0.1:PORT/`. */
  readonly queueOrigin: string;
}

/** Where functions reach DynamoDB and SQS. */
export interface Services {
  readonly dynamoDb: ServiceProxy;
  readonly sqs: ServiceProxy;
  /** From now on functions may do what their roles let them, and nothing before. */
  setPermissions(mayDo: MayDo): void;
  close(): Promise<void>;
}

type ActionsOf = (operation: string, body: string) => readonly RequestedAction[];

/** What stands before the emulators in the services' stead: it knows who calls and refuses what their role does not allow, and tells the meter. */
export async function openServiceProxies(ports: ServicePorts, meter: Meter): Promise<Services> {
  let mayDo: MayDo = () => false;
  const refuse = (actionsOf: ActionsOf) => (caller: string, operation: string, body: string) => {
    const denied = actionsOf(operation, body).find(({ action, resource }) => !mayDo(caller, action, resource));
    return denied && `User: ${caller} is not authorized to perform: ${denied.action} on resource: ${denied.resource}`;
  };
  const dynamoDb = await openServiceProxy({
    targetPort: ports.dynamoDbPort,
    refuse: refuse(dynamoDbActions),
    rewrite: meter.dynamoDb ? askingForCapacity : (body) => body,
    onExchange: (...exchange) => meter.dynamoDb?.(...exchange),
  });
  const sqs: ServiceProxy = await openServiceProxy({
    targetPort: ports.sqsPort,
    refuse: refuse(sqsActions),
    rewrite: (body) => body.replaceAll(`${sqs.endpoint}/`, ports.queueOrigin),
    onExchange: (operation) => meter.sqs(operation),
  });
  return {
    dynamoDb,
    sqs,
    setPermissions: (given) => {
      mayDo = given;
    },
    close: async () => void (await Promise.all([dynamoDb.close(), sqs.close()])),
  };
}

/** The same request, but the answer will say what it costs. */
function askingForCapacity(body: string): string {
  return body.includes('"ReturnConsumedCapacity"') ? body : body.replace('{', '{"ReturnConsumedCapacity":"INDEXES",');
}
