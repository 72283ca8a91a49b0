/** The small groups about a cluster as a whole, in the notation of parseField.ts. */
export const clusterTypes = {
  'apiregistration.v1': {
    APIService: 'metadata:1:meta.v1.ObjectMeta spec:2:APIServiceSpec status:3:APIServiceStatus',
    APIServiceCondition: 'type:1:string status:2:string lastTransitionTime:3:Time reason:4:string message:5:string',
    APIServiceSpec: `
      service:1:ServiceReference group:2:string version:3:string insecureSkipTLSVerify:4:bool caBundle:5:bytes
      groupPriorityMinimum:7:!int32 versionPriority:8:!int32
    `,
    APIServiceStatus: 'conditions:1:[]APIServiceCondition/merge(type)',
    ServiceReference: 'namespace:1:string name:2:string port:3:*int32',
  },
  'certificates.v1': {
    CertificateSigningRequest: `
      metadata:1:meta.v1.ObjectMeta spec:2:CertificateSigningRequestSpec/required
      status:3:CertificateSigningRequestStatus
    `,
    CertificateSigningRequestCondition: `
      type:1:string(RequestConditionType) status:6:string(ConditionStatus) reason:2:string message:3:string
      lastUpdateTime:4:Time lastTransitionTime:5:Time
    `,
    CertificateSigningRequestSpec: `
      request:1:bytes signerName:7:string expirationSeconds:8:*int32 usages:5:[]string username:2:string uid:3:string
      groups:4:[]string extra:6:{}ExtraValue
    `,
    CertificateSigningRequestStatus: 'conditions:1:[]CertificateSigningRequestCondition/map(type) certificate:2:bytes',
  },
  'flowcontrol.v1': {
    ExemptPriorityLevelConfiguration: 'nominalConcurrencyShares:1:*int32 lendablePercent:2:*int32',
    FlowDistinguisherMethod: 'type:1:string(FlowDistinguisherMethodType)',
    FlowSchema: 'metadata:1:meta.v1.ObjectMeta spec:2:FlowSchemaSpec status:3:FlowSchemaStatus',
    FlowSchemaCondition: `
      type:1:string(FlowSchemaConditionType) status:2:string(ConditionStatus) lastTransitionTime:3:Time reason:4:string
      message:5:string
    `,
    FlowSchemaSpec: `
      priorityLevelConfiguration:1:PriorityLevelConfigurationReference/required matchingPrecedence:2:!int32
      distinguisherMethod:3:FlowDistinguisherMethod rules:4:[]PolicyRulesWithSubjects
    `,
    FlowSchemaStatus: 'conditions:1:[]FlowSchemaCondition/merge(type)',
    GroupSubject: 'name:1:string',
    LimitResponse: 'type:1:string(LimitResponseType) queuing:2:QueuingConfiguration',
    LimitedPriorityLevelConfiguration: `
      nominalConcurrencyShares:1:*int32 limitResponse:2:LimitResponse lendablePercent:3:*int32
      borrowingLimitPercent:4:*int32
    `,
    NonResourcePolicyRule: 'verbs:1:![]string/set nonResourceURLs:6:![]string/set',
    PolicyRulesWithSubjects: `
      subjects:1:![]Subject resourceRules:2:[]ResourcePolicyRule nonResourceRules:3:[]NonResourcePolicyRule
    `,
    PriorityLevelConfiguration: `
      metadata:1:meta.v1.ObjectMeta spec:2:PriorityLevelConfigurationSpec status:3:PriorityLevelConfigurationStatus
    `,
    PriorityLevelConfigurationCondition: `
      type:1:string(PriorityLevelConfigurationConditionType) status:2:string(ConditionStatus) lastTransitionTime:3:Time
      reason:4:string message:5:string
    `,
    PriorityLevelConfigurationReference: 'name:1:string',
    PriorityLevelConfigurationSpec: `
      type:1:string(PriorityLevelEnablement) limited:2:LimitedPriorityLevelConfiguration
      exempt:3:ExemptPriorityLevelConfiguration
    `,
    PriorityLevelConfigurationStatus: 'conditions:1:[]PriorityLevelConfigurationCondition/merge(type)',
    QueuingConfiguration: 'queues:1:!int32 handSize:2:!int32 queueLengthLimit:3:!int32',
    ResourcePolicyRule: `
      verbs:1:![]string/set apiGroups:2:![]string/set resources:3:![]string/set clusterScope:4:bool
      namespaces:5:[]string/set
    `,
    ServiceAccountSubject: 'namespace:1:string name:2:string',
    Subject: `
      kind:1:string(SubjectKind) user:2:UserSubject group:3:GroupSubject serviceAccount:4:ServiceAccountSubject
    `,
    UserSubject: 'name:1:string',
  },
  'node.v1': {
    Overhead: 'podFixed:1:{}Quantity',
    RuntimeClass: 'metadata:1:meta.v1.ObjectMeta handler:2:string overhead:3:Overhead scheduling:4:Scheduling',
    Scheduling: 'nodeSelector:1:{}string/atomic tolerations:2:[]core.v1.Toleration',
  },
  'scheduling.v1': {
    PriorityClass: `
      metadata:1:meta.v1.ObjectMeta value:2:!int32 globalDefault:3:bool description:4:string
      preemptionPolicy:5:*string(PreemptionPolicy)
    `,
  },
} as const;
