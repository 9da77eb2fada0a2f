import StrataModels
import Testing

@testable import StrataMigrations

/// Which way a stage goes is read from the record in one place.
@Suite("The names of stages in the record") struct StageNameTests {
    @Test(arguments: [
        ("0004_v3_v4", StageName("0004_v3_v4")), ("0004_v3_v4.down", StageName("0004_v3_v4", .back)),
        ("baseline", StageName("baseline")), ("0004_v3.down_v4", StageName("0004_v3.down_v4")),
    ])
    func `what is recorded is read again`(text: String, name: StageName) {
        #expect(StageName(recorded: text) == name)
        #expect(name.recorded == text)
        #expect("\(name)" == text)
    }

    @Test func `progress is that of the way it goes`() {
        let script = RunnerFixture.second
        func progress(_ name: StageName) -> StageProgress {
            let record = StageProgress.Record(
                step: "2.1", isDone: true, rowsDone: 0, rowsTotal: nil, directive: nil)
            return StageProgress(of: name, [record], in: RunnerFixture.scripts)
        }
        let forward = progress(script.stage)
        #expect(!forward.isRollback)
        #expect(forward.target == script.to)
        #expect(forward.pending == ["2.2", "2.3", "2.4", "2.5", "2.6"])
        let back = progress(script.wayBack)
        #expect(back.isRollback)
        #expect(back.target == script.from)
        #expect(back.number == 2)
        #expect(back.pending == ["2.2"])
        #expect(progress(StageName("0003_v2_v3", .back)).pending == [])
    }
}
