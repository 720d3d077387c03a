module hawser.example/verdict

go 1.21
