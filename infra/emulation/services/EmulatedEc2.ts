import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { IsPermitted } from '../iam/isAllowed.ts';
import { LOOPBACK } from '../../host/openHttpServer.ts';

/** An instance that EC2 knows. */
export interface EmulatedInstance {
  /** `i-` and 17 hexadecimal digits. */
  readonly id: string;
  /** `''` once it was terminated. */
  readonly privateDnsName: string;
}

export interface EmulatedEc2Options {
  readonly instances: readonly EmulatedInstance[];
  /** What IAM allows the function that the access key names. */
  readonly isPermitted: IsPermitted;
}

/** Answers DescribeInstances of one instance, as EC2 does in its own protocol: parameters in a form, answers in XML. Speaks plain HTTP on loopback. */
export class EmulatedEc2 {
  readonly endpoint: string;
  /** How many times it was asked. */
  asked = 0;
  readonly #server: Server;

  private constructor(server: Server) {
    this.endpoint = `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`;
    this.#server = server;
  }

  static async open(options: EmulatedEc2Options): Promise<EmulatedEc2> {
    const server = createServer((request, response) => {
      opened.asked += 1;
      void answer(request, response, options);
    });
    await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
    const opened = new EmulatedEc2(server);
    return opened;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, options: EmulatedEc2Options): Promise<void> {
  const parameters = new URLSearchParams(await text(request));
  const caller = /Credential=([^/]+)\//.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const [status, body] = judge(parameters, caller, options);
  response.writeHead(status, { 'content-type': 'text/xml;charset=UTF-8' }).end(body);
}

function judge(
  parameters: URLSearchParams,
  caller: string,
  { instances, isPermitted }: EmulatedEc2Options,
): [status: number, body: string] {
  const action = parameters.get('Action') ?? '';
  if (!isPermitted(caller, `ec2:${action}`, '*'))
    return [403, errorXml('UnauthorizedOperation', 'You are not authorized to perform this operation.')];
  if (action !== 'DescribeInstances') return [400, errorXml('InvalidAction', `The action ${action} is not valid.`)];
  const id = parameters.get('InstanceId.1') ?? '';
  const instance = instances.find((known) => known.id === id);
  if (!instance) return [400, errorXml('InvalidInstanceID.NotFound', `The instance ID '${id}' does not exist`)];
  return [200, instanceXml(instance)];
}

/** The network interfaces of an instance have names of their own, which are not the instance's. */
function instanceXml({ id, privateDnsName }: EmulatedInstance): string {
  const item = [
    `<instanceId>${id}</instanceId>`,
    '<networkInterfaceSet><item><privateDnsName>other.ec2.internal</privateDnsName></item></networkInterfaceSet>',
    `<privateDnsName>${privateDnsName}</privateDnsName>`,
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<DescribeInstancesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>r</requestId><reservationSet>',
    `<item><reservationId>r-1</reservationId><instancesSet><item>${item.join('')}</item></instancesSet></item>`,
    '</reservationSet></DescribeInstancesResponse>',
  ].join('');
}

function errorXml(code: string, message: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Response><Errors><Error><Code>${code}</Code><Message>${message}</Message></Error></Errors><RequestID>r</RequestID></Response>`;
}
