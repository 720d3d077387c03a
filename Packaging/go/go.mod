module git.example/hawser/Packaging/go

go 1.25
