/** The types of authentication, authorization and RBAC, in the notation of parseField.ts. */
export const accessTypes = {
  'authentication.v1': {
    BoundObjectReference: 'kind:1:string apiVersion:2:string name:3:string uid:4:string(types.UID)',
    SelfSubjectReview: 'metadata:1:meta.v1.ObjectMeta status:2:SelfSubjectReviewStatus',
    SelfSubjectReviewStatus: 'userInfo:1:UserInfo',
    TokenRequest: 'metadata:1:meta.v1.ObjectMeta spec:2:TokenRequestSpec status:3:TokenRequestStatus',
    TokenRequestSpec: 'audiences:1:[]string expirationSeconds:4:*int64 boundObjectRef:3:BoundObjectReference',
    TokenRequestStatus: 'token:1:string expirationTimestamp:2:Time',
    TokenReview: 'metadata:1:meta.v1.ObjectMeta spec:2:TokenReviewSpec status:3:TokenReviewStatus',
    TokenReviewSpec: 'token:1:string audiences:2:[]string',
    TokenReviewStatus: 'authenticated:1:bool user:2:UserInfo audiences:4:[]string error:3:string',
    UserInfo: 'username:1:string uid:2:string groups:3:[]string extra:4:{}ExtraValue',
  },
  'authorization.v1': {
    FieldSelectorAttributes: 'rawSelector:1:string requirements:2:[]meta.v1.FieldSelectorRequirement',
    LabelSelectorAttributes: 'rawSelector:1:string requirements:2:[]meta.v1.LabelSelectorRequirement',
    LocalSubjectAccessReview: `
      metadata:1:meta.v1.ObjectMeta spec:2:SubjectAccessReviewSpec status:3:SubjectAccessReviewStatus
    `,
    NonResourceAttributes: 'path:1:string verb:2:string',
    NonResourceRule: 'verbs:1:[]string nonResourceURLs:2:[]string',
    ResourceAttributes: `
      namespace:1:string verb:2:string group:3:string version:4:string resource:5:string subresource:6:string
      name:7:string fieldSelector:8:FieldSelectorAttributes/since(1.32)
      labelSelector:9:LabelSelectorAttributes/since(1.32)
    `,
    ResourceRule: 'verbs:1:[]string apiGroups:2:[]string resources:3:[]string resourceNames:4:[]string',
    SelfSubjectAccessReview: `
      metadata:1:meta.v1.ObjectMeta spec:2:SelfSubjectAccessReviewSpec status:3:SubjectAccessReviewStatus
    `,
    SelfSubjectAccessReviewSpec:
      'resourceAttributes:1:ResourceAttributes nonResourceAttributes:2:NonResourceAttributes',
    SelfSubjectRulesReview: `
      metadata:1:meta.v1.ObjectMeta spec:2:SelfSubjectRulesReviewSpec status:3:SubjectRulesReviewStatus
    `,
    SelfSubjectRulesReviewSpec: 'namespace:1:string',
    SubjectAccessReview: `
      metadata:1:meta.v1.ObjectMeta spec:2:SubjectAccessReviewSpec status:3:SubjectAccessReviewStatus
    `,
    SubjectAccessReviewSpec: `
      resourceAttributes:1:ResourceAttributes nonResourceAttributes:2:NonResourceAttributes user:3:string
      groups:4:[]string extra:5:{}ExtraValue uid:6:string
    `,
    SubjectAccessReviewStatus: 'allowed:1:bool denied:4:bool reason:2:string evaluationError:3:string',
    SubjectRulesReviewStatus: `
      resourceRules:1:[]ResourceRule nonResourceRules:2:[]NonResourceRule incomplete:3:bool evaluationError:4:string
    `,
  },
  'rbac.v1': {
    AggregationRule: 'clusterRoleSelectors:1:[]meta.v1.LabelSelector',
    ClusterRole: 'metadata:1:meta.v1.ObjectMeta rules:2:![]PolicyRule aggregationRule:3:AggregationRule',
    ClusterRoleBinding: 'metadata:1:meta.v1.ObjectMeta subjects:2:[]Subject roleRef:3:!RoleRef/required',
    PolicyRule: `
      verbs:1:![]string apiGroups:2:[]string resources:3:[]string resourceNames:4:[]string nonResourceURLs:5:[]string
    `,
    Role: 'metadata:1:meta.v1.ObjectMeta rules:2:![]PolicyRule',
    RoleBinding: 'metadata:1:meta.v1.ObjectMeta subjects:2:[]Subject roleRef:3:!RoleRef/required',
    RoleRef: '/atomic apiGroup:1:string kind:2:string name:3:string',
    Subject: '/atomic kind:1:string apiGroup:2:string name:3:string namespace:4:string',
  },
} as const;
