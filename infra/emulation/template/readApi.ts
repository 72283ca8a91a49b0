import type { TemplateResolver } from './Template.ts';
import { ACCOUNT, REGION } from './Template.ts';

/** The REST API of the template. */
export interface ApiSpec {
  readonly id: string;
  /** `arn:aws:execute-api:REGION:ACCOUNT:API` */
  readonly arn: string;
  readonly stage: string;
  readonly integration: FunctionIntegration | ContainerIntegration;
  readonly authorizer: {
    readonly functionName: string;
    readonly cacheMs: number;
    /** Lower-case names of the headers that identify the caller. Without them the function is not invoked. */
    readonly identityHeaders: readonly string[];
  };
  readonly binaryMediaTypes: readonly string[];
  readonly isStreamed: boolean;
  readonly timeoutMs: number;
  /** The answers that API Gateway gives by itself, by response type: `UNAUTHORIZED`, `DEFAULT_4XX`, … */
  readonly gatewayResponses: ReadonlyMap<string, GatewayResponse>;
}

export interface FunctionIntegration {
  readonly kind: 'function';
  readonly functionName: string;
}

export interface ContainerIntegration {
  readonly kind: 'container';
  /** The headers that are set, in lower case, and the field of the authorizer's context that each has. */
  readonly requestHeaders: ReadonlyMap<string, string>;
}

interface GatewayResponse {
  readonly status?: number;
  /** May contain `$context.error.messageString`, the error message as a JSON string. */
  readonly template?: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface MethodProperties {
  readonly AuthorizationType?: string;
  readonly Integration: {
    readonly Type: string;
    readonly Uri: unknown;
    readonly ConnectionType?: string;
    readonly RequestParameters?: Readonly<Record<string, string>>;
    readonly ResponseTransferMode?: string;
    readonly TimeoutInMillis?: number;
  };
}

const API_ID = 'emulated';
const DEFAULT_TIMEOUT_MS = 29_000;

/** Reads the template's API. Throws unless it is the only one and uses one function for all paths. */
export function readApi(template: TemplateResolver): ApiSpec {
  const [[logicalId, properties], ...others] = template.resources('AWS::ApiGateway::RestApi') as [
    [string, Readonly<Record<string, unknown>>],
  ];
  if (others.length > 0) throw new Error('the emulation supports one API');
  template.setDeployed(logicalId, { ref: API_ID, attributes: { RootResourceId: 'root' } });
  for (const [resource] of template.resources('AWS::ApiGateway::Resource'))
    template.setDeployed(resource, { ref: resource });
  for (const [authorizer] of template.resources('AWS::ApiGateway::Authorizer')) {
    template.setDeployed(authorizer, { ref: authorizer });
  }
  const { BinaryMediaTypes = [] } = properties as { readonly BinaryMediaTypes?: readonly string[] };
  return {
    id: API_ID,
    arn: `arn:aws:execute-api:${REGION}:${ACCOUNT}:${API_ID}`,
    stage: readStage(template),
    ...readMethod(template),
    authorizer: readAuthorizer(template),
    binaryMediaTypes: BinaryMediaTypes,
    gatewayResponses: readGatewayResponses(template),
  };
}

function readStage(template: TemplateResolver): string {
  const [, properties] = template.resources('AWS::ApiGateway::Stage')[0] ?? [];
  return String(properties?.['StageName']);
}

function readMethod(template: TemplateResolver): Pick<ApiSpec, 'integration' | 'isStreamed' | 'timeoutMs'> {
  const methods = template
    .resources('AWS::ApiGateway::Method')
    .map(([, properties]) => properties as unknown as MethodProperties);
  const kinds = new Set(
    methods.map(({ Integration, AuthorizationType }) => {
      const { Uri, RequestParameters: _, ...same } = Integration;
      return JSON.stringify({ ...same, ...(Integration.Type === 'AWS_PROXY' && { Uri }), AuthorizationType });
    }),
  );
  const [method] = methods;
  if (!method || kinds.size > 1) throw new Error('the emulation supports one integration for all methods');
  const { Integration, AuthorizationType } = method;
  if (AuthorizationType !== 'CUSTOM') throw new Error('the emulation supports only custom authorizers');
  return {
    integration: readIntegration(template, Integration),
    isStreamed: Integration.ResponseTransferMode === 'STREAM',
    timeoutMs: Integration.TimeoutInMillis ?? DEFAULT_TIMEOUT_MS,
  };
}

function readIntegration(
  template: TemplateResolver,
  { Type, ConnectionType, Uri, RequestParameters = {} }: MethodProperties['Integration'],
): ApiSpec['integration'] {
  if (Type === 'AWS_PROXY') return { kind: 'function', functionName: functionOfUri(String(template.resolve(Uri))) };
  if (Type !== 'HTTP_PROXY' || ConnectionType !== 'VPC_LINK') {
    throw new Error('the emulation supports only proxy integrations with a function or a private network');
  }
  const headers = Object.entries(RequestParameters).flatMap(([to, from]) => {
    const name = /^integration\.request\.header\.(.+)$/.exec(to)?.[1];
    const field = /^context\.authorizer\.(.+)$/.exec(from)?.[1];
    return name === undefined || field === undefined ? [] : [[name.toLowerCase(), field] as const];
  });
  return { kind: 'container', requestHeaders: new Map(headers) };
}

function readAuthorizer(template: TemplateResolver): ApiSpec['authorizer'] {
  const [found] = template.resources('AWS::ApiGateway::Authorizer');
  const {
    Type,
    AuthorizerUri,
    AuthorizerResultTtlInSeconds = 300,
    IdentitySource = '',
  } = template.resolve(found?.[1]) as {
    readonly Type: string;
    readonly AuthorizerUri: string;
    readonly AuthorizerResultTtlInSeconds?: number;
    readonly IdentitySource?: string;
  };
  if (Type !== 'REQUEST') throw new Error('the emulation supports only REQUEST authorizers');
  const headers = [...IdentitySource.matchAll(/method\.request\.header\.([\w-]+)/g)].map(([, name = '']) => name);
  return {
    functionName: functionOfUri(AuthorizerUri),
    cacheMs: AuthorizerResultTtlInSeconds * 1000,
    identityHeaders: headers.map((name) => name.toLowerCase()),
  };
}

/** `arn:aws:apigateway:…:lambda:path/…/functions/arn:aws:lambda:…:function:NAME/…`, or `NAME:ALIAS` */
function functionOfUri(uri: string): string {
  const name = /:function:([\w-]+)(?::[\w-]+)?\//.exec(uri)?.[1];
  if (name === undefined) throw new Error(`the emulation finds no function in ${uri}`);
  return name;
}

function readGatewayResponses(template: TemplateResolver): ReadonlyMap<string, GatewayResponse> {
  return new Map(
    template.resources('AWS::ApiGateway::GatewayResponse').map(([, properties]) => {
      const {
        ResponseType,
        StatusCode,
        ResponseTemplates,
        ResponseParameters = {},
      } = template.resolve(properties) as {
        readonly ResponseType: string;
        readonly StatusCode?: string;
        readonly ResponseTemplates?: Readonly<Record<string, string>>;
        readonly ResponseParameters?: Readonly<Record<string, string>>;
      };
      const body = ResponseTemplates?.['application/json'];
      const headers = Object.entries(ResponseParameters).map(([name, value]) => [
        name.replace('gatewayresponse.header.', ''),
        value.replace(/^'(.*)'$/, '$1'),
      ]);
      return [
        ResponseType,
        {
          ...(StatusCode !== undefined && { status: Number(StatusCode) }),
          ...(body !== undefined && { template: body }),
          headers: Object.fromEntries(headers) as Record<string, string>,
        },
      ];
    }),
  );
}
