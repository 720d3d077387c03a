// What programs on Apple's systems write. Typechecked by `Tests/Integration/apple.sh`, never run.

import Alamofire
import Foundation
import Hawser

/// A session whose servers a policy judges. `tls` is what the program knows of its connections.
func session(judgedBy store: PolicyStore, tls: TLSState) -> URLSession {
    let judge = ServerTrustJudge(engine: { store.snapshot.engine }, tls: { _, _ in tls })
    return URLSession(configuration: .ephemeral, delegate: judge, delegateQueue: nil)
}

/// Alamofire 5 asks an evaluator for each host.
extension PolicyServerTrustEvaluation: @retroactive ServerTrustEvaluating {}
