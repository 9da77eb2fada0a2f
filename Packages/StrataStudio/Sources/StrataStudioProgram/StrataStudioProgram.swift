import StrataStudio

/// Opens a database in a browser on this machine.
@main
struct StrataStudioProgram {
    static func main() async { await StudioCommand.main(models: nil, in: "public") }
}
