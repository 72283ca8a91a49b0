import { Duration } from 'aws-cdk-lib';
import {
  AuthorizationType,
  type CfnMethod,
  ConnectionType,
  HttpIntegration,
  LambdaIntegration,
  type Method,
  type RequestAuthorizer,
  ResponseTransferMode,
  type RestApi,
  VpcLink,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { USER_HEADERS } from '../../lambdas/functions/api/userOfHeaders.ts';
import { FUNCTIONS } from '../topology.ts';
import type { ApiService } from './createApiService.ts';

/** Who answers the requests of the API. */
export type ApiBackend =
  | { readonly kind: 'function'; readonly target: IFunction }
  | { readonly kind: 'container'; readonly target: ApiService };

const STREAMED = {
  responseTransferMode: ResponseTransferMode.STREAM,
  timeout: Duration.millis(FUNCTIONS.api.timeoutMs),
};

/** Makes the API pass every request on, after the authorizer has identified the caller, and stream the answers. */
export function addProxy(api: RestApi, backend: ApiBackend, authorizer: RequestAuthorizer): void {
  const options = { authorizer, authorizationType: AuthorizationType.CUSTOM };
  const proxied = api.root.addResource('{proxy+}');
  if (backend.kind === 'function') {
    const integration = new LambdaIntegration(backend.target, { ...STREAMED, allowTestInvoke: false });
    api.root.addMethod('ANY', integration, options);
    proxied.addMethod('ANY', integration, options);
    return;
  }
  const { link, loadBalancer } = backend.target;
  const vpcLink = VpcLink.fromVpcLinkId(api, 'Link', link.vpcLinkId);
  const integrate = (path: string, parameters: Readonly<Record<string, string>>) =>
    new HttpIntegration(`http://${loadBalancer.loadBalancerDnsName}${path}`, {
      httpMethod: 'ANY',
      proxy: true,
      options: {
        ...STREAMED,
        connectionType: ConnectionType.VPC_LINK,
        vpcLink,
        requestParameters: { ...userParameters(), ...parameters },
      },
    });
  const methods = [
    api.root.addMethod('ANY', integrate('/', {}), options),
    proxied.addMethod('ANY', integrate('/{proxy}', { 'integration.request.path.proxy': 'method.request.path.proxy' }), {
      ...options,
      requestParameters: { 'method.request.path.proxy': true },
    }),
  ];
  for (const method of methods) aimAt(method, loadBalancer.loadBalancerArn);
}

/** The authorizer's context as headers. They replace headers of these names that a client sends. */
function userParameters(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(USER_HEADERS).map(([field, header]) => [
      `integration.request.header.${header}`,
      `context.authorizer.${field}`,
    ]),
  );
}

/** A VPC link of the second version reaches any load balancer of its network; the CDK's construct knows only the first. */
function aimAt(method: Method, loadBalancerArn: string): void {
  (method.node.defaultChild as CfnMethod).addPropertyOverride('Integration.IntegrationTarget', loadBalancerArn);
}
