package oracle

// runMergePatch applies an RFC 7386 merge patch.
func runMergePatch(r Request) (Answer, error) {
	library, doc, patch, err := patchFields(r)
	if err != nil {
		return nil, err
	}
	result, err := library.merge(doc, patch)
	if err != nil {
		return Answer{"error": err.Error()}, nil
	}
	return Answer{"result": string(result)}, nil
}
