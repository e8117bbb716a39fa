package kubectl

// FirstCommand lets the transcripts be cut into commands and answers.
var FirstCommand = firstCommand
