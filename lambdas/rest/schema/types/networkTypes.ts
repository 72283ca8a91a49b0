/** Ingresses, network policies, addresses of services and endpoint slices, in the notation of parseField.ts. */
export const networkTypes = {
  'networking.v1': {
    HTTPIngressPath: 'path:1:string pathType:3:*string(PathType) backend:2:IngressBackend',
    HTTPIngressRuleValue: 'paths:1:![]HTTPIngressPath',
    IPAddress: 'metadata:1:meta.v1.ObjectMeta spec:2:IPAddressSpec',
    IPAddressSpec: 'parentRef:1:ParentReference/required',
    IPBlock: 'cidr:1:string except:2:[]string',
    Ingress: 'metadata:1:meta.v1.ObjectMeta spec:2:IngressSpec status:3:IngressStatus',
    IngressBackend: 'service:4:IngressServiceBackend resource:3:core.v1.TypedLocalObjectReference',
    IngressClass: 'metadata:1:meta.v1.ObjectMeta spec:2:IngressClassSpec',
    IngressClassParametersReference: `
      apiGroup:1:*string kind:2:string name:3:string scope:4:*string namespace:5:*string
    `,
    IngressClassSpec: 'controller:1:string parameters:2:IngressClassParametersReference',
    IngressLoadBalancerIngress: 'ip:1:string hostname:2:string ports:4:[]IngressPortStatus',
    IngressLoadBalancerStatus: 'ingress:1:[]IngressLoadBalancerIngress',
    IngressPortStatus: 'port:1:!int32 protocol:2:string(Protocol) error:3:*string',
    IngressRule: 'host:1:string ...ingressRuleValue:2:IngressRuleValue',
    IngressRuleValue: 'http:1:HTTPIngressRuleValue',
    IngressServiceBackend: 'name:1:string port:2:ServiceBackendPort',
    IngressSpec: 'ingressClassName:4:*string defaultBackend:1:IngressBackend tls:2:[]IngressTLS rules:3:[]IngressRule',
    IngressStatus: 'loadBalancer:1:!IngressLoadBalancerStatus',
    IngressTLS: 'hosts:1:[]string secretName:2:string',
    NetworkPolicy: 'metadata:1:meta.v1.ObjectMeta spec:2:NetworkPolicySpec',
    NetworkPolicyEgressRule: 'ports:1:[]NetworkPolicyPort to:2:[]NetworkPolicyPeer',
    NetworkPolicyIngressRule: 'ports:1:[]NetworkPolicyPort from:2:[]NetworkPolicyPeer',
    NetworkPolicyPeer: `
      podSelector:1:meta.v1.LabelSelector namespaceSelector:2:meta.v1.LabelSelector ipBlock:3:IPBlock
    `,
    NetworkPolicyPort: 'protocol:1:*string(Protocol) port:2:*IntOrString endPort:3:*int32',
    NetworkPolicySpec: `
      podSelector:1:meta.v1.LabelSelector ingress:2:[]NetworkPolicyIngressRule egress:3:[]NetworkPolicyEgressRule
      policyTypes:4:[]string
    `,
    ParentReference: 'group:1:string resource:2:string namespace:3:string name:4:string',
    ServiceBackendPort: '/atomic name:1:string number:2:int32',
    ServiceCIDR: 'metadata:1:meta.v1.ObjectMeta spec:2:ServiceCIDRSpec status:3:ServiceCIDRStatus',
    ServiceCIDRSpec: 'cidrs:1:[]string',
    ServiceCIDRStatus: 'conditions:1:[]meta.v1.Condition/merge(type)',
  },
  'discovery.v1': {
    Endpoint: `
      addresses:1:![]string/set conditions:2:EndpointConditions hostname:3:*string targetRef:4:core.v1.ObjectReference
      deprecatedTopology:5:{}string nodeName:6:*string zone:7:*string hints:8:EndpointHints
    `,
    EndpointConditions: 'ready:1:*bool serving:2:*bool terminating:3:*bool',
    EndpointHints: 'forZones:1:[]ForZone forNodes:2:[]ForNode/since(1.34)',
    EndpointPort: '/atomic name:1:*string protocol:2:*string(Protocol) port:3:*int32 appProtocol:4:*string',
    EndpointSlice: `
      metadata:1:meta.v1.ObjectMeta addressType:4:string(AddressType) endpoints:2:![]Endpoint ports:3:![]EndpointPort
    `,
    ForNode: 'name:1:string',
    ForZone: 'name:1:string',
  },
} as const;
