import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { LOOPBACK } from '../../host/openHttpServer.ts';
import type { IsPermitted } from '../iam/isAllowed.ts';

/** What a custom resource answers. */
export interface ResourceAnswer {
  readonly Status: 'SUCCESS' | 'FAILED';
  readonly Reason?: string;
  readonly PhysicalResourceId: string;
  readonly Data?: Readonly<Record<string, string>>;
}

/** The path to which custom resources send their answers. */
const ANSWER_PATH = '/answer';

/** Answers DescribeStacks of one stack, and takes the answer of a custom resource. Speaks plain HTTP on loopback. */
export class EmulatedCloudFormation {
  readonly endpoint: string;
  /** The status of the stack: `UPDATE_IN_PROGRESS`. */
  status = 'CREATE_IN_PROGRESS';
  readonly #server: Server;
  #take: (answer: ResourceAnswer) => void = () => {};

  private constructor(server: Server) {
    this.endpoint = `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`;
    this.#server = server;
  }

  /** Where a custom resource sends its answer. */
  get answerUrl(): string {
    return `${this.endpoint}${ANSWER_PATH}`;
  }

  static async open(isPermitted: IsPermitted): Promise<EmulatedCloudFormation> {
    const server = createServer((request, response) => void opened.#answer(request, response, isPermitted));
    await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
    const opened = new EmulatedCloudFormation(server);
    return opened;
  }

  /** Resolves to the next answer of a custom resource. */
  nextAnswer(): Promise<ResourceAnswer> {
    return new Promise((resolve) => {
      this.#take = resolve;
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse, isPermitted: IsPermitted): Promise<void> {
    const body = await text(request);
    if (request.url === ANSWER_PATH) {
      this.#take(JSON.parse(body) as ResourceAnswer);
      return void response.end();
    }
    const parameters = new URLSearchParams(body);
    const stack = parameters.get('StackName') ?? '';
    const caller = /Credential=([^/]+)\//.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const isAllowed = isPermitted(caller, `cloudformation:${parameters.get('Action')}`, stack);
    response.writeHead(isAllowed ? 200 : 403, { 'content-type': 'text/xml' });
    response.end(isAllowed ? stackXml(stack, this.status) : DENIED);
  }
}

const DENIED =
  '<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>not authorized</Message></Error></ErrorResponse>';

function stackXml(id: string, status: string): string {
  const member = `<member><StackId>${id}</StackId><StackStatus>${status}</StackStatus></member>`;
  return `<DescribeStacksResponse><DescribeStacksResult><Stacks>${member}</Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}
